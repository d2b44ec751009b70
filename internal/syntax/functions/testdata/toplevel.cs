using X;
Console.WriteLine(1);
void Foo() { throw new Exception("x"); }
