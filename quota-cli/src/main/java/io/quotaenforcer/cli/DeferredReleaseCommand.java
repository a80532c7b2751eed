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

/** {@code quota deferred release ID}: releases requests before all others of their quota key. */
@Command(
    name = "release",
    description = {
      "Moves waiting requests to the front of their queue.",
      "A moved request is the next of its quota key, but still needs permits: it runs as soon as"
          + " there are some. Exit code 1 if a request could not be moved."
    })
final class DeferredReleaseCommand implements Callable<Integer> {
  private final CommonOptions options;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Parameters(arity = "1..*", paramLabel = "ID", description = "Ids of the requests.")
  private List<String> ids = List.of();

  @Option(names = "--dry-run", description = "Shows what would be done, and writes nothing.")
  private boolean dryRun;

  @Mixin private final KeyOption key = new KeyOption();

  @Mixin private final EnforcerOption enforcer = new EnforcerOption();

  DeferredReleaseCommand(CommonOptions options) {
    this.options = options;
  }

  @Override
  public Integer call() throws InterruptedException {
    ChangedRequests change = new ChangedRequests(RequestChange.release());
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
