package io.quotaenforcer.bench.deferral;

import io.quotaenforcer.bench.process.Jcmd;
import io.quotaenforcer.bench.restore.EnforcerChild;
import io.quotaenforcer.enforcer.cli.CommandException;
import io.quotaenforcer.enforcer.cli.ExitCode;
import io.quotaenforcer.enforcer.deferral.IdleTick;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/** What the JDK's {@code jcmd} tells of an enforcer. */
final class Diagnosis {
  private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)");
  private static final double BYTES_PER_MEBIBYTE = 1 << 20;

  private final Jcmd jcmd;

  /**
   * @param folder for recordings
   */
  Diagnosis(EnforcerChild enforcer, Path folder) {
    this.jcmd = new Jcmd(enforcer.pid(), folder);
  }

  /** What lives on the heap: a full collection comes before it is counted. */
  double liveMebibytes() throws IOException, InterruptedException {
    Matcher total = TOTAL.matcher(jcmd.ask("GC.class_histogram"));
    if (!total.find()) {
      throw new CommandException(ExitCode.FAILED, "jcmd told no total of the heap");
    }
    return Long.parseLong(total.group(1)) / BYTES_PER_MEBIBYTE;
  }

  /** Nanoseconds of each idle tick, of all partitions, from now on for so long. */
  LongStream idleTicks(Duration howLong) throws IOException, InterruptedException {
    jcmd.record(IdleTick.NAME);
    Thread.sleep(howLong.toMillis());
    return jcmd.recorded(IdleTick.NAME);
  }
}
