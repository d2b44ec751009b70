import pytest

from shortlink.slugify import slugify


def test_lowercases_and_joins_with_hyphens():  # criterion 1
    assert slugify("Hello, World!") == "hello-world"


def test_runs_of_other_characters_become_one_hyphen():
    assert slugify("a -- b") == "a-b"


def test_leading_and_trailing_hyphens_are_removed():
    assert slugify("  (spaced)  ") == "spaced"


def test_title_without_letters_or_digits_is_refused():
    with pytest.raises(ValueError, match="'!!!'"):
        slugify("!!!")


def test_title_of_more_than_200_characters_is_refused():
    with pytest.raises(ValueError):
        slugify("x" * 201)
