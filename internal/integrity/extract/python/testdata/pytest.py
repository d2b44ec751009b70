import re
import sys
from unittest import mock
from unittest.mock import patch

import numpy as np
import pytest
from shop.cart import Cart, total

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="x")]
collect_ignore = ["old.py"]
CASES = [("a", 1), ("b", 2)]


@pytest.fixture(scope="module", autouse=True, params=[1, 2])
def cart(request):
    c = Cart(request.param)
    yield c
    c.close()


@pytest.mark.parametrize("text, want", [("a", 1), pytest.param("b", 2, id="b", marks=pytest.mark.xfail)], ids=["x", "y"])
@pytest.mark.parametrize("n", CASES)
def test_relations(cart, text, want, n, tmp_path):
    got = total(text)
    assert got == want, "message"
    assert 5 != got
    assert got is not None
    assert not got.empty
    assert got in (1, 2)
    assert "a" not in got.name
    assert 1 < got <= 3
    assert len(got.items) == 2
    assert type(got) is Cart
    assert isinstance(got, (int, Cart))
    assert got.name.startswith("a")
    assert re.match(r"^a", got.name)
    assert got.rate == pytest.approx(1.5, rel=1e-3)
    assert pytest.approx(1.5) == got.rate
    assert abs(got.rate - 1.5) < 1e-6
    assert round(got.rate, 2) == 1.5
    assert (got.a == 1) and got.b
    assert got or True
    assert (got, "message")
    got == 3
    np.testing.assert_allclose(got, want, rtol=1e-5)


def test_raises():
    with pytest.raises(ValueError, match="none"):
        total(None)
    with pytest.raises((KeyError, ValueError)) as caught, mock.patch("shop.rates.fetch") as fetch:
        total("x")
    fetch.assert_called_once_with("x")
    fetch.assert_not_called()
    try:
        total(2)
    except ValueError as e:
        assert "x" in str(e)
    else:
        pytest.fail("nothing raised")
    try:
        total(3)
    except (KeyError, Exception):
        pass
    finally:
        done()


@patch("shop.cart.total", return_value=1)
@patch.object(Cart, "size")
def test_mocks(_size, _total, monkeypatch):
    monkeypatch.setattr("shop.cart.x", 1)
    monkeypatch.setenv("HOME", "/")
    sys.modules["shop"] = mock.Mock()
    importer = pytest.importorskip("lxml")
    if importer:
        return
    elif sys:
        pytest.skip("no")
    else:
        raise pytest.skip.Exception("no")


@pytest.mark.flaky(reruns=2)
async def test_async():
    assert await total(1) == 1
    async with total(2) as x:
        assert x


def test_flow():
    while True:
        break
    match total(1):
        case 1:
            assert a
        case _:
            sys.exit(0)

    def inner(x: int = 1) -> int:
        return x

    del inner
    _ = [y for y in range(3)]


def test_twice():
    assert a


def test_twice():
    pass


def pytest_runtest_setup(item):
    item.skip()
