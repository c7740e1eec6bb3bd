import tensorflow as tf

losses = []


class Runner(tf.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    @tf.function
    def evaluate(self, x, y):
        loss = tf.reduce_mean((self.model(x) - y) ** 2)
        losses.append(loss)  # <- GD202
        return loss


def main(model, data):
    runner = Runner(model)
    for x, y in data:
        runner.evaluate(x, y)
    print(sum(losses))
