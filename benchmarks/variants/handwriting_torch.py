"""The network in torch, eager with its fused LSTM, for `benchmarks/handwriting.py`."""

import math
import sys
import time

import torch

COMPONENTS, MIXTURES, CHARACTERS, TEXT = 10, 20, 99, 30


class Network(torch.nn.Module):
    """`parallel`, or `graves` with a loop over the steps in its first layer."""

    def __init__(self, hidden: int, feedback: bool):
        super().__init__()
        self.feedback = feedback
        if feedback:
            self.first = torch.nn.LSTMCell(3 + CHARACTERS, hidden)
        else:
            self.first = torch.nn.LSTM(3, hidden)
        self.window = torch.nn.Linear(hidden, 3 * COMPONENTS)
        rest = 3 + CHARACTERS + hidden
        self.rest = torch.nn.ModuleList([torch.nn.LSTM(rest, hidden) for _ in range(2)])
        self.outputs = torch.nn.Linear(3 * hidden, 1 + 6 * MIXTURES)
        with torch.no_grad():
            self.window.bias[-COMPONENTS:] = -2.3

    def read(self, raw, position, text):
        height, width, advance = torch.exp(raw.clamp(-12, 6)).chunk(3, -1)  # [..., components] each
        position = position + (advance if self.feedback else advance.cumsum(0))
        places = torch.arange(text.shape[1], dtype=torch.float32)  # [text]
        distance = position[..., None] - places  # [..., components, text]
        weight = (height[..., None] * torch.exp(-width[..., None] * distance**2)).sum(-2)
        return torch.einsum("...bu,buc->...bc", weight, text), position

    def read_in_loop(self, points, text):
        batch = points.shape[1]
        state, position = None, torch.zeros(batch, COMPONENTS)
        window = torch.zeros(batch, CHARACTERS)
        hiddens, windows = [], []
        for point in points:
            state = self.first(torch.cat([point, window], -1), state)
            window, position = self.read(self.window(state[0]), position, text)
            hiddens.append(state[0])
            windows.append(window)
        return torch.stack(hiddens), torch.stack(windows)

    def forward(self, points, text):
        if self.feedback:
            hidden, window = self.read_in_loop(points, text)
        else:
            hidden = self.first(points)[0]  # [time, batch, hidden]
            window = self.read(self.window(hidden), 0.0, text)[0]  # [time, batch, characters]
        hiddens = [hidden]
        for layer in self.rest:
            hiddens.append(layer(torch.cat([points, window, hiddens[-1]], -1))[0])
        return self.outputs(torch.cat(hiddens, -1))  # [time, batch, outputs]


def loss_of(points, parameters):
    end, rest = parameters[..., 0], parameters[..., 1:]
    weight, x, y, wide, high, turn = rest.chunk(6, -1)  # [time, batch, mixtures] each
    wide, high, rho = wide.clamp(-6, 6), high.clamp(-6, 6), 0.995 * torch.tanh(turn)
    across = (points[..., :1] - x) * torch.exp(-wide)
    down = (points[..., 1:2] - y) * torch.exp(-high)
    left = 1 - rho**2
    square = (across**2 + down**2 - 2 * rho * across * down) / left
    normaliser = math.log(2 * math.pi) + wide + high + 0.5 * torch.log(left)
    density = torch.logsumexp(torch.log_softmax(weight, -1) - normaliser - 0.5 * square, -1)
    ends = torch.nn.functional.binary_cross_entropy_with_logits(end, points[..., 2], reduction="sum")
    return ends - density.sum()


def processor_seconds(function, repeats: int) -> float:
    """The median over calls after a first one."""
    function()
    seconds = []
    for _ in range(repeats):
        begun = time.process_time()
        function()
        seconds.append(time.process_time() - begun)
    return sorted(seconds)[repeats // 2]


def main() -> None:
    hidden, steps, batch, repeats = map(int, sys.argv[1:5])
    torch.set_num_threads(1)
    torch.manual_seed(0)
    points = torch.randn(steps + 1, batch, 3)
    points[..., 2] = (torch.rand(steps + 1, batch) < 0.1).float()
    text = torch.nn.functional.one_hot(torch.randint(CHARACTERS, (batch, TEXT)), CHARACTERS).float()
    matrix = torch.randn(1024, 1024)
    print("gemm", processor_seconds(lambda: matrix @ matrix, repeats))
    for name in ("parallel", "graves"):
        network = Network(hidden, feedback=name == "graves")

        def step(network=network) -> None:
            network.zero_grad()
            loss_of(points[1:], network(points[:-1], text)).backward()

        print(name, processor_seconds(step, repeats))


if __name__ == "__main__":
    main()
