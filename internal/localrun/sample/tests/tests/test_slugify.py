import unittest

from shortlink.slugify import slugify


class SlugifyTest(unittest.TestCase):
    def test_lowercases_and_joins_with_hyphens(self):  # criterion 1
        self.assertEqual(slugify("Hello, World!"), "hello-world")

    def test_runs_of_other_characters_become_one_hyphen(self):
        self.assertEqual(slugify("a -- b"), "a-b")

    def test_leading_and_trailing_hyphens_are_removed(self):
        self.assertEqual(slugify("  (spaced)  "), "spaced")

    def test_title_without_letters_or_digits_is_refused(self):
        with self.assertRaisesRegex(ValueError, "'!!!'"):
            slugify("!!!")

    def test_title_of_more_than_200_characters_is_refused(self):
        with self.assertRaises(ValueError):
            slugify("x" * 201)
