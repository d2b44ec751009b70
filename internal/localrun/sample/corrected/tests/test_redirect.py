import unittest

from shortlink import slugify as slugs


class RedirectTest(unittest.TestCase):
    def test_slug_is_the_path(self):
        self.assertEqual("/" + slugs.slugify("Read me!"), "/read-me")
