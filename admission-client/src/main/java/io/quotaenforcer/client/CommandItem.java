package io.quotaenforcer.client;

import io.quotaenforcer.client.internal.kafka.DeferralWriter;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.message.DeferralInput;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A small record for the queues of deferred requests that is done once it is durable.
 *
 * @param future fails with the writer's failure
 */
record CommandItem(DeferralInput command, QuotaKey quotaKey, CompletableFuture<Void> future)
    implements DeferralWriter.Item {

  CommandItem(DeferralInput command, QuotaKey quotaKey) {
    this(command, quotaKey, new CompletableFuture<>());
  }

  @Override
  public int bytes() {
    return 0;
  }

  @Override
  public Optional<DeferralInput> input(int partitions) {
    return Optional.of(command);
  }

  @Override
  public void outcome(DeferralWriter.Written written, @Nullable Exception cause) {
    if (cause == null) {
      future.complete(null);
    } else {
      future.completeExceptionally(cause);
    }
  }
}
