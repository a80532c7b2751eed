package io.quotaenforcer.cli;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.server.lifecycle.Foreground;
import io.quotaenforcer.server.text.Printable;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code quota limits watch}: how much of limits is in force, whenever it changes. */
@Command(
    name = "watch",
    description = {
      "Shows how much of each limit is in force that follows the load, then each change as it is"
          + " decided, with since when and why, until Ctrl-C. With -o json, a JSON object a line.",
      "Ends with exit code 3 once Kafka does not answer any more."
    })
final class LimitsWatchCommand implements Callable<Integer> {
  private static final Duration END = Duration.ofSeconds(5);

  private final CommonOptions options;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  LimitsWatchCommand(CommonOptions options) {
    this.options = options;
  }

  @Override
  public Integer call() throws Exception {
    return Foreground.run(
        END,
        () -> {
          try (PrefixTopics topics = PrefixTopics.open(options)) {
            PrintWriter err = spec.commandLine().getErr();
            Changes changes = new Changes();
            new LimitChange.Source(topics, err).follow(changes::atEnd, changes::add);
          }
          return ExitCode.DONE;
        });
  }

  /** Keeps the last change of each rule until all are known, then shows every one. */
  private final class Changes {
    private final PrintWriter out = spec.commandLine().getOut();
    private final Map<RuleId, LimitChange> known = new TreeMap<>();
    private boolean shows;

    void add(LimitChange change) {
      if (shows) {
        show(change);
      } else if (change.inForce().isPresent()) {
        known.put(change.rule(), change);
      } else {
        known.remove(change.rule());
      }
    }

    void atEnd() {
      known.values().forEach(this::show);
      known.clear();
      shows = true;
    }

    private void show(LimitChange change) {
      out.println(options.json() ? change.json() : Printable.line(change.text()));
      if (out.checkError()) {
        // Nobody reads any more, as after `| head`.
        Thread.currentThread().interrupt();
      }
    }
  }
}
