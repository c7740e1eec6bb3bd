import assert from "node:assert/strict";
import { test } from "node:test";
import { explainCommand, fixCommand, functionAround, quoted, runCommand } from "../src/commands";

const graphdoctor = { command: "/env/bin/graphdoctor", args: [] };
const TEXT = `import tensorflow as tf

class Model(tf.keras.Model):
    @tf.function
    def call(self, x):
        # a comment
        def inner(y):
            return y

        if x:
            return inner(x)

def step(x):
    return x

loss = step(1)
`.split("\n");

test("the function around a line has its qualified name", () => {
  const names = TEXT.map((_, line) => functionAround(TEXT, line));
  assert.equal(names[4], "Model.call");
  assert.equal(names[3], "Model.call");
  assert.equal(names[7], "Model.call.inner");
  assert.equal(names[10], "Model.call");
  assert.equal(names[13], "step");
});

test("outside of functions there is none", () => {
  assert.equal(functionAround(TEXT, 0), undefined);
  assert.equal(functionAround(TEXT, 2), undefined);
  assert.equal(functionAround(TEXT, 15), undefined);
  assert.equal(functionAround([], 0), undefined);
});

test("what a terminal is given is quoted", () => {
  assert.equal(quoted(runCommand(graphdoctor, "train it.py"), "linux"), "/env/bin/graphdoctor run -o .graphdoctor/report.html 'train it.py'");
  assert.equal(quoted(fixCommand(graphdoctor, "it's.py"), "linux"), "/env/bin/graphdoctor fix 'it'\\''s.py'");
  assert.equal(quoted(["C:\\my env\\graphdoctor.exe", "fix", "a.py"], "win32"), "& 'C:\\my env\\graphdoctor.exe' fix a.py");
  assert.deepEqual(explainCommand(graphdoctor, "a.py", "Model.call").slice(1), ["explain", "a.py:Model.call", "-o", ".graphdoctor/explanation.html"]);
});
