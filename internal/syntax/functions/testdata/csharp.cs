using X;
namespace N;
public interface I { void A(); int P { get; } }
public abstract class C : B {
  private readonly int _x;
  public C(int x) : base(x) { _x = x; }
  public abstract void F();
  public int G() { throw new NotImplementedException(); }
  public int H() => throw new NotImplementedException();
  public int K() => default;
  public int L() { return default(int); }
  public Task M() { return Task.CompletedTask; }
  public Task<int> MM() => Task.FromResult(0);
  public int P { get; set; }
  public int Q { get { return _x; } set { _x = value; } }
  public int R => _x;
  public static C operator +(C a, C b) { return a; }
  ~C() {}
  Func<int> f = () => 1;
  Func<int, int> ff = delegate(int z) { return z; };
  partial void Foo();
  extern void Bar();
  public string S() { return string.Empty; }
  public int[] T() { return new int[0]; }
  public int[] U() { return Array.Empty<int>(); }
  public int this[int i] { get { return 0; } }
  void V() { int Local() { return 1; } }
}
public class Hooks { public Action Done = () => {}; public void Run() {} }
