package io.quotaenforcer.lab.up;

import io.quotaenforcer.broker.BrokerException;
import io.quotaenforcer.broker.BrokerOptions;
import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.server.lifecycle.Lifecycle;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A broker whose records stay in a folder, as a part of a program that a signal ends. */
public final class LocalBroker {
  private final Lifecycle lifecycle;
  private final EmbeddedBroker broker;

  private LocalBroker(Lifecycle lifecycle, EmbeddedBroker broker) {
    this.lifecycle = lifecycle;
    this.broker = broker;
  }

  /**
   * Starts it, and returns when it serves.
   *
   * @throws BrokerException if the folder cannot be used
   * @throws UpException if the port is taken
   */
  public static LocalBroker open(Lifecycle lifecycle, Path folder, LocalPort port) {
    LocalPort.checkFree(List.of(port));
    BrokerOptions options = BrokerOptions.defaults().withDataFolder(folder).withPort(port.number());
    EmbeddedBroker broker = lifecycle.open("broker", () -> EmbeddedBroker.start(options));
    broker.failure().thenAccept(failure -> lifecycle.stop());
    return new LocalBroker(lifecycle, broker);
  }

  public String bootstrapServers() {
    return broker.bootstrapServers();
  }

  /**
   * Returns when the program is to end.
   *
   * @throws BrokerException if that is since the broker cannot go on
   */
  public void awaitStop() throws InterruptedException {
    lifecycle.awaitStop();
    Optional<BrokerException> failure = broker.failureNow();
    if (failure.isPresent()) {
      throw failure.get();
    }
  }
}
