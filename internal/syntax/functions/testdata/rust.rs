use x;
#[derive(Debug)]
pub struct S { a: i32 }
pub trait T { fn a(&self); fn b(&self) -> i32 { 0 } }
impl S {
    pub fn new(a: i32) -> Self { Self { a } }
    fn f(&self) -> Result<(), E> { todo!() }
    fn g() { unimplemented!("x"); }
    fn h() -> Option<i32> { None }
    fn i() -> R { Ok(()) }
    fn j() -> R { Err("not implemented".into()) }
    fn k() -> V { Vec::new() }
    fn l() -> V { vec![] }
    fn m() -> V { Default::default() }
    fn n() { let _ = x; panic!("no") }
    fn o() -> &str { "" }
    fn p(&self) -> &T { &self.a }
    fn q() -> f32 { return 0.0; }
    fn r() {}
    fn s() -> String { String::new() }
}
fn main() { run() }
#[cfg(test)]
mod tests {
    #[test]
    fn t() { assert_eq!(1, 1); }
}
impl Sealed for S { fn seal(&self) {} fn grow(&self, n: i32) {} fn size(&self) -> i32 { 0 } }
