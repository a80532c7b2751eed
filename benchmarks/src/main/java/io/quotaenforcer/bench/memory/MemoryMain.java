package io.quotaenforcer.bench.memory;

import io.quotaenforcer.bench.process.ParentProgram;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * The client whose memory is counted, as a process. Arguments: keys, invented keys, most keys. It
 * answers with {@link HeldKeys} for each {@link Liveness}, and with a {@link Flood}.
 */
public final class MemoryMain {
  private MemoryMain() {}

  public static void main(String[] arguments) throws IOException {
    DataOutputStream out = ParentProgram.connect().answers();
    int keys = Integer.parseInt(arguments[0]);
    for (Liveness liveness : Liveness.values()) {
      HeldKeys.measure(liveness, keys).write(out);
      out.flush();
    }
    Flood.measure(Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2])).write(out);
    out.flush();
  }
}
