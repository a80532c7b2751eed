package io.quotaenforcer.bench.accuracy.instance;

import io.quotaenforcer.bench.process.ParentProgram;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * An instance as a process.
 *
 * <p>It is told of all trials by its standard input (how many, then each), and then again and again
 * the number of one of them and when it starts, in epoch nanoseconds: it answers with its log. For
 * a start of {@link #PREPARE} it gets ready, and answers with an empty log. It ends when its input
 * does.
 */
public final class InstanceMain {
  public static final long PREPARE = 0;

  private InstanceMain() {}

  /** Arguments: bootstrap servers, port of the central store, index. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    ParentProgram parent = ParentProgram.connect();
    DataInputStream in = parent.orders();
    DataOutputStream out = parent.answers();
    List<Trial> trials = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      trials.add(Trial.read(in));
    }
    Site site = Site.of(arguments[0], Integer.parseInt(arguments[1]), trials);
    int index = Integer.parseInt(arguments[2]);
    try (Instance instance = new Instance(site, "own-jvm-" + index, index, TrueTime.now())) {
      while (true) {
        Trial trial = trials.get(in.readInt());
        long start = in.readLong();
        if (start == PREPARE) {
          instance.prepare(trial.policy());
          new InstanceLog(0).write(out);
        } else {
          instance.run(trial, start).write(out);
        }
        out.flush();
      }
    } catch (EOFException e) {
      // It is no longer needed.
    }
  }
}
