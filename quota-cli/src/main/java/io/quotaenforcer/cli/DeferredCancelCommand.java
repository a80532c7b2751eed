package io.quotaenforcer.cli;

import io.quotaenforcer.enforcer.operations.RequestChange;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code quota deferred cancel ID}: takes requests out of their queues. */
@Command(
    name = "cancel",
    description = {
      "Removes waiting requests from their queues: each becomes a dead letter with the reason.",
      "A request that is released already cannot be cancelled. Exit code 1 if there was one, or"
          + " one that may have been run meanwhile."
    })
final class DeferredCancelCommand implements Callable<Integer> {
  private final CommonOptions options;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Parameters(arity = "1..*", paramLabel = "ID", description = "Ids of the requests.")
  private List<String> ids = List.of();

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      description = "Why, for the dead letters. Default: by hand.")
  private String reason = "by hand";

  @Option(names = "--dry-run", description = "Shows what would be done, and writes nothing.")
  private boolean dryRun;

  @Mixin private final KeyOption key = new KeyOption();

  @Mixin private final EnforcerOption enforcer = new EnforcerOption();

  DeferredCancelCommand(CommonOptions options) {
    this.options = options;
  }

  @Override
  public Integer call() throws InterruptedException {
    ChangedRequests change = new ChangedRequests(RequestChange.cancel(reason));
    ChangedRequests.Changed changed =
        change.apply(
            ids,
            key.get(),
            new PartitionsSource(enforcer.address(spec, options)),
            dryRun,
            () -> KafkaQueueTopics.open(options));
    return change.show(changed, dryRun, spec, options.json());
  }
}
