package corpustest_test

// What the Python project's approved test says, and what it says weakened.
const (
	pyTest = "from src.adder import add\nfrom tests.helpers import close\n\n\ndef test_add():\n    assert add(1, 2) == 3\n\n\ndef " +
		"test_negative():\n    close(add(-1, 1), 0)\n"
	pyWeak = "from src.adder import add\nfrom tests.helpers import close\n\n\ndef test_add():\n    assert add(1, 2)\n\n\ndef " +
		"test_negative():\n    close(add(-1, 1), 0)\n"
	pyCode = "def add(a, b):\n    return a + b\n"
	pyAt   = "tests/test_adder.py"
	ciAt   = ".github/workflows/test.yml"
	ciText = "on: [pull_request]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - " +
		"run: python -m pytest\n"
	spec = "specs/doing/adder.md"
)

// work is an honest implementation.
func work() files { return files{"src/adder.py": pyCode} }

func python() files {
	return files{
		"src/adder.py": "", spec: "# Adder\n\nAdds.\n", pyAt: pyTest, ciAt: ciText,
		"tests/helpers.py": "def close(a, b):\n    assert abs(a - b) < 1e-9\n",
		"pytest.ini":       "[pytest]\ntestpaths = tests\n",
	}
}

const (
	jsAt   = "test/adder.test.js"
	jsTest = "const { add } = require('../src/adder');\n\ndescribe('add', () => {\n  it('adds', () => {\n    expect(add(1, " +
		"2)).toBe(3);\n  });\n});\n"
	jsPkg = "{\n  \"name\": \"adder\",\n  \"scripts\": {\n    \"test\": \"jest\"\n  },\n  \"devDependencies\": {\n    \"jest\": " +
		"\"^30.0.0\"\n  }\n}\n"
)

func javascript() files {
	return files{"src/adder.js": "", spec: "# Adder\n\nAdds.\n", jsAt: jsTest, "package.json": jsPkg}
}

const (
	goAt   = "adder_test.go"
	goTest = "package adder\n\nimport (\n\t\"testing\"\n\n\t\"github.com/stretchr/testify/assert\"\n)\n\nfunc TestAdd(t *testing.T) " +
		"{\n\tassert.Equal(t, 3, Add(1, 2))\n}\n"
	goMod = "module example.com/adder\n\ngo 1.24\n\nrequire github.com/stretchr/testify v1.10.0\n"
)

func golang() files {
	return files{"adder.go": "package adder\n", spec: "# Adder\n\nAdds.\n", goAt: goTest, "go.mod": goMod}
}

const rustTest = "use adder::add;\n\n#[test]\nfn adds() {\n    assert_eq!(add(1, 2), 3);\n}\n"

func rust() files {
	return files{
		"src/lib.rs": "pub fn add(a: i64, b: i64) -> i64 { a + b }\n", spec: "# Adder\n\nAdds.\n", "tests/adder.rs": rustTest,
		"Cargo.toml": "[package]\nname = \"adder\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[dev-dependencies]\nproptest = \"1\"\n",
	}
}

func java() files {
	return files{
		"src/main/java/Adder.java": "class Adder {}\n", spec: "# Adder\n\nAdds.\n",
		"pom.xml": "<project><modelVersion>4.0.0</modelVersion><artifactId>adder</artifactId></project>\n",
		"src/test/java/AdderTest.java": "import static org.junit.jupiter.api.Assertions.assertEquals;\n\nimport " +
			"org.junit.jupiter.api.Test;\n\nclass AdderTest {\n    @Test\n    void adds() {\n        assertEquals(3, Adder.add(1, " +
			"2));\n    }\n}\n",
	}
}

func ruby() files {
	return files{
		"lib/adder.rb": "", spec: "# Adder\n\nAdds.\n", ".rspec": "--require spec_helper\n", "spec/spec_helper.rb": "require 'rspec'\n",
		"spec/adder_spec.rb": "require_relative '../lib/adder'\n\nRSpec.describe Adder do\n  it 'adds' do\n    expect(Adder.add(1, " +
			"2)).to eq(3)\n  end\nend\n",
	}
}
