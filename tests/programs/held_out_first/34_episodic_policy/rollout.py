import numpy as np


def discount(rewards, gamma):
    out, running = [], 0.0
    for r in reversed(rewards):
        running = r + gamma * running
        out.append(running)
    return np.array(out[::-1], "float32")


def episode(env, policy, rng, cfg):
    states, actions, rewards = [], [], []
    state = env.reset()
    for _ in range(cfg.max_steps):
        p = policy.probabilities(state[None]).numpy()[0].astype("float64")
        action = rng.choice(cfg.actions, p=p / p.sum())
        states.append(state)
        actions.append(action)
        state, reward, done = env.step(action)
        rewards.append(reward)
        if done:
            break
    return np.stack(states), np.array(actions, "int32"), discount(rewards, cfg.gamma)
