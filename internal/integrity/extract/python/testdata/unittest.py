"""Documentation says nothing about what a test demands."""
import unittest
import shop.cart as cart
from shop import total as add, Cart
from .helpers import *


class CartTest(unittest.TestCase):
    limit: int = 3

    def setUp(self) -> None:
        self.cart = Cart([1, 2])

    @unittest.skipIf(True, "later")
    def test_relations(self):
        x = add(self.cart)
        self.assertEqual(3, x, "the sum")
        self.assertNotEqual(x, 4)
        self.assertTrue(x > 2 and x.ok)
        self.assertFalse(x.bad)
        self.assertIs(x, x)
        self.assertIsNone(x.none)
        self.assertIn(1, x.items)
        self.assertIsInstance(x, int)
        self.assertAlmostEqual(x.rate, 1.5, places=3)
        self.assertAlmostEqual(x.rate, 1.5, delta=0.1)
        self.assertGreater(x, 2)
        self.assertRegex(x.name, "^a")
        self.assertCountEqual(x.items, [2, 1])
        self.assertCart(x)
        self.fail("never")

    @unittest.expectedFailure
    def test_raises(self):
        with self.assertRaises(ValueError):
            add(None)
        with self.assertRaisesRegex(ValueError, "none") as caught:
            add(None)
        self.assertRaises(TypeError, add, 1, 2)
        self.skipTest("x")

    def test_table(self):
        for n, want in [(1, 1), (2, 4)]:
            with self.subTest(n=n):
                self.assertEqual(add(n), want)

    async def test_never_awaited(self):
        pass


class Helper:
    def __init__(self):
        self.calls = 0


class Checks:
    def test_nothing(self):
        pass


class TestWithConstructor:
    def __init__(self):
        pass

    def test_nothing(self):
        pass
