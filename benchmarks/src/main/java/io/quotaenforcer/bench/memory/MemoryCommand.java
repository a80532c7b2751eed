package io.quotaenforcer.bench.memory;

import io.quotaenforcer.bench.figures.Targets;
import io.quotaenforcer.bench.options.JsonOption;
import io.quotaenforcer.bench.process.ChildJvm;
import io.quotaenforcer.enforcer.cli.CommandException;
import io.quotaenforcer.enforcer.cli.ExitCode;
import io.quotaenforcer.enforcer.text.TextTable;
import java.io.EOFException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code quota bench memory}: what quota keys cost an admission client. */
@Command(
    name = "memory",
    description = {
      "Counts the bytes of 1,000,000 quota keys on the heap of an admission client, and floods one"
          + " with 10,000,000 invented keys.",
      "The client's real allotment book, answered by the real ledger, in simulated time, in a"
          + " process of its own; bytes are those of the JVM's class histogram."
    })
public final class MemoryCommand implements Callable<Integer> {
  private static final int KEYS = 1_000_000;
  private static final int QUICK_KEYS = 50_000;
  private static final int INVENTED_PER_KEY = 10;
  private static final int HEAP_MEBIBYTES = 8_192;

  /** Or fillers between objects would count as if they were objects. */
  private static final List<String> COMPACTS_ALWAYS = List.of("-XX:MarkSweepAlwaysCompactCount=1");

  private static final double BYTES_PER_MEBIBYTE = 1 << 20;
  private static final double MOST_BYTES_PER_KEY = 150;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Option(names = "--quick", description = "A twentieth of the keys.")
  private boolean quick;

  @Option(
      names = "--keys",
      paramLabel = "N",
      description =
          "Quota keys that are known, and that may be in use at most in the flood, which names ten"
              + " times as many. Default: 1,000,000; with --quick, 50,000.")
  private int keys;

  @Mixin private final JsonOption json = new JsonOption();

  @Override
  public Integer call() throws IOException {
    if (keys < 0 || keys > 10 * KEYS) {
      throw new CommandException(
          ExitCode.USAGE, "must be 1 to %d: --keys=%d".formatted(10 * KEYS, keys));
    }
    json.check();
    int held = keys > 0 ? keys : quick ? QUICK_KEYS : KEYS;
    List<HeldKeys> rows = new ArrayList<>();
    Flood flood;
    try (ChildJvm client =
        ChildJvm.start(
            MemoryMain.class,
            HEAP_MEBIBYTES,
            COMPACTS_ALWAYS,
            Integer.toString(held),
            Integer.toString(INVENTED_PER_KEY * held),
            Integer.toString(held))) {
      for (Liveness liveness : Liveness.values()) {
        say("%,d keys, %s".formatted(held, liveness.title()));
        rows.add(HeldKeys.read(client.answers()));
      }
      print(rows);
      say("%,d invented keys".formatted(INVENTED_PER_KEY * held));
      flood = Flood.read(client.answers());
    } catch (EOFException e) {
      throw new CommandException(
          ExitCode.FAILED,
          "the client's process ended before it was done; it has at most %,d MiB of heap"
              .formatted(HEAP_MEBIBYTES));
    }
    Targets targets = targets(rows, flood);
    print(flood, targets);
    json.write(() -> toJson(rows, flood, targets));
    return ExitCode.DONE;
  }

  private static Targets targets(List<HeldKeys> rows, Flood flood) {
    Targets targets = new Targets();
    for (HeldKeys row : rows) {
      targets.atMost(
          "bytes of a key " + row.liveness().title(), row.bytesPerKey(), MOST_BYTES_PER_KEY);
    }
    targets.atMost("keys in use in a flood", flood.mostInUse(), flood.maxKeys());
    targets.atMost("keys remembered in a flood", flood.mostRemembered(), flood.maxKeys());
    return targets;
  }

  private void print(List<HeldKeys> rows) {
    PrintWriter out = spec.commandLine().getOut();
    TextTable table =
        TextTable.ofFigures("keys", "known", "in use", "admitted", "bytes each", "MiB");
    for (HeldKeys row : rows) {
      table.row(
          row.liveness().title(),
          "%,d".formatted(row.keys()),
          "%,d".formatted(row.inUse()),
          "%,d".formatted(row.admitted()),
          "%.0f".formatted(row.bytesPerKey()),
          "%.0f".formatted(row.heap().bytes() / BYTES_PER_MEBIBYTE));
    }
    table.lines().forEach(out::println);
    for (HeldKeys row : rows) {
      out.println();
      out.println("bytes and objects of a key " + row.liveness().title() + ":");
      row.describeClasses().forEach(out::println);
    }
    out.println();
    out.flush();
  }

  private void print(Flood flood, Targets targets) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(
        ("%,d requests for invented keys, %,d keys allowed: %,d in use at most, %,d remembered at"
                + " most, %.0f ns per request, %.0f MiB at the end, %d of %d requests of another"
                + " user throttled")
            .formatted(
                flood.requests(),
                flood.maxKeys(),
                flood.mostInUse(),
                flood.mostRemembered(),
                flood.nanosPerRequest(),
                flood.bytes() / BYTES_PER_MEBIBYTE,
                flood.userThrottled(),
                flood.userRequests()));
    targets.describe().forEach(out::println);
    out.flush();
  }

  private static Map<String, Object> toJson(List<HeldKeys> rows, Flood flood, Targets targets) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("java", Runtime.version().toString());
    result.put("cores", Runtime.getRuntime().availableProcessors());
    result.put("heapMebibytes", HEAP_MEBIBYTES);
    result.put("held", rows.stream().map(HeldKeys::toJson).toList());
    result.put("flood", flood.toJson());
    targets.writeTo(result);
    return result;
  }

  private void say(String what) {
    PrintWriter err = spec.commandLine().getErr();
    err.println("measuring: " + what);
    err.flush();
  }
}
