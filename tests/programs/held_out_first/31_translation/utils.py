from config import cfg


def finish_epoch(epoch, loss, confidence):
    print("epoch %d loss %.3f target confidence %.3f" % (epoch, loss, confidence))
    cfg.label_smoothing *= cfg.smoothing_decay
