"""YAML as files of settings use it: read as PyYAML reads it, or not at all."""

import pytest
import yaml

from graphdoctor.source.yaml_text import NotPlainError, parse_yaml

READ = {
    "numbers, flags, None": "a: 1\nb: 2.5\nc: 1e-3\nd: 1.0e-3\ne: yes\nf: null\ng:\nh: -3\ni: .5\nj: -.5\n",
    "mappings in mappings": "a:\n  b:\n    c: 1\n  d: [1, 2, 'x']\ne: {a: 1, b: [2, 3], c: {d: no}}\n",
    "a list of mappings": "- 1\n- a: 2\n  b: 3\n-\n  c: 4\n",
    "a list that is not further in": "a:\n- 1\n- x: 2\n  y: 3\nb: 3\n",
    "lists in lists": "a:\n  - - 1\n    - 2\n  - [3]\n",
    "comments": "# c\na: 1 # d\nb: 'x # y'\n\n",
    "a document": "---\na: 1\n",
    "texts": "a: /tmp/x\nb: model-v1.2\nc: 'it'\nd: \"q\"\ne: two words\nf: http://x.y/z\ng: 5 m\nh: x, y\n",
    "empty": "",
    "empty ones": "a: []\nb: {}\n",
}
LEFT = {
    "anchors": "a: &x 1\nb: *x\n",
    "a merged mapping": "a: &x\n  b: 1\nc:\n  <<: *x\n",
    "a block of text": "a: |\n  text\n",
    "a tag": "a: !!python/object:os.x 1\n",
    "numbers of other kinds": "a: 007\n",
    "numbers with colons": "a: 12:30\n",
    "a date": "a: 2020-01-01\n",
    "a key that is a flag": "on: 1\n",
    "a text over two lines": "a: one\n  two\n",
    "two documents": "a: 1\n---\nb: 2\n",
    "a tab": "a:\n\tb: 1\n",
    "no YAML": "a: [1\n",
    "Python": "import os\nprint('x')\n",
}


@pytest.mark.parametrize("text", READ.values(), ids=READ)
def test_reads_as_pyyaml_does(text: str) -> None:
    assert repr(parse_yaml(text)) == repr(yaml.safe_load(text))


@pytest.mark.parametrize("text", LEFT.values(), ids=LEFT)
def test_leaves_alone_what_is_more(text: str) -> None:
    with pytest.raises(NotPlainError):
        parse_yaml(text)
