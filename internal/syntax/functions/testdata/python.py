"""doc"""
import x
@dec
class A(Protocol):
    """d"""
    x: int = 1
    @abstractmethod
    async def f(self, a) -> int:
        """doc"""
        ...
    def g(self): pass
    def h(self):
        # c
        raise NotImplementedError("x")
f = lambda x: x
if __name__ == "__main__":
    main()
foo.bar(1)
def z():
    return
def y():
    return None, {}
def w():
    _ = y
    return -1
