package a;
import x.Y;
@Foo
public abstract class A implements B {
  static { init(); }
  { init(); }
  private final int x;
  public A(int x) { super(); this.x = x; }
  public abstract void f();
  @Override public int g() { throw new UnsupportedOperationException("x"); }
  int h() { return 0; }
  native void q();
  int i() { return x; }
  List<String> j() { return Collections.emptyList(); }
  String[] k() { return new String[0]; }
  Runnable r = () -> { run(); };
  Foo m() { return new Foo(); }
  void n() {}
}
interface I { void a(); default int b() { return 1; } }
record P(int a) { P { check(a); } }
enum E { X { void f() {} }; E() {} }
class Hooks { Runnable done = () -> {}; void run() {} }
