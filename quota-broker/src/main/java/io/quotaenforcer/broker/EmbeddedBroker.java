package io.quotaenforcer.broker;

import java.net.BindException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Time;
import org.jspecify.annotations.Nullable;

/** A Kafka broker and its controller in this process, on loopback only. */
public final class EmbeddedBroker implements AutoCloseable {
  private static final int MAX_TRIES = 5;
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  private final DataFolder folder;
  private final BrokerOptions options;
  private final int port;
  private final KafkaRaftServer server;
  private final CompletableFuture<BrokerException> failure = new CompletableFuture<>();
  private final BrokerFaults.Threads threads = new BrokerFaults.Threads(this::failed);
  private final AtomicBoolean closed = new AtomicBoolean();

  private EmbeddedBroker(DataFolder folder, FreePorts.Pair ports, BrokerOptions options) {
    this.folder = folder;
    this.options = options;
    this.port = ports.broker();
    this.server =
        new KafkaRaftServer(
            KafkaConfig.fromProps(
                BrokerProperties.of(
                    folder.path(), ports.broker(), ports.controller(), options.overrides()),
                false),
            Time.SYSTEM);
  }

  /** A broker on a temporary folder and a free port. */
  public static EmbeddedBroker start() {
    return start(BrokerOptions.defaults());
  }

  /**
   * Starts a broker, and returns when it serves.
   *
   * @throws BrokerException when it cannot start within the options' time
   */
  public static EmbeddedBroker start(BrokerOptions options) {
    for (int tries = 1; ; tries++) {
      FreePorts.Pair ports = FreePorts.take(options.port());
      DataFolder folder = DataFolder.open(options);
      @Nullable EmbeddedBroker broker = null;
      try {
        broker = new EmbeddedBroker(folder, ports, options);
        broker.startUp();
        return broker;
      } catch (Exception e) {
        release(broker, folder);
        if (hasCause(e, InterruptedException.class)) {
          Thread.currentThread().interrupt();
        }
        boolean portTaken = hasCause(e, BindException.class);
        if (portTaken && tries < MAX_TRIES) {
          continue;
        }
        throw portTaken
            ? new BrokerException(FreePorts.taken(ports.broker()), e)
            : explained(e, folder);
      }
    }
  }

  /** Address for clients: {@code 127.0.0.1:port}. */
  public String bootstrapServers() {
    return "127.0.0.1:" + port;
  }

  public Path dataFolder() {
    return folder.path();
  }

  /**
   * Completes when the broker can no longer go on, with the reason. The broker must still be
   * closed.
   */
  public CompletableFuture<BrokerException> failure() {
    return failure.copy();
  }

  /** Reason why the broker can no longer go on; empty while it can. */
  public Optional<BrokerException> failureNow() {
    return Optional.ofNullable(failure.getNow(null));
  }

  /** Stops the broker within seconds, and removes its folder if that is a temporary one. */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    Thread closer =
        threads.start(
            "embedded-broker-close",
            () -> {
              server.shutdown();
              server.awaitShutdown();
            });
    try {
      closer.join(CLOSE_TIMEOUT.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    BrokerFaults.unlisten(threads);
    folder.release();
  }

  private void startUp() throws Exception {
    BrokerFaults.listen(threads);
    CompletableFuture<Void> started = new CompletableFuture<>();
    threads.start(
        "embedded-broker-start",
        () -> {
          try {
            server.startup();
            started.complete(null);
          } catch (Throwable e) {
            started.completeExceptionally(e);
          }
        });
    CompletableFuture<Object> served = CompletableFuture.anyOf(started, failure);
    try {
      served.get(options.startTimeout().toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new BrokerException(
          "the embedded broker did not start within " + options.startTimeout().toSeconds() + " s",
          e);
    } catch (InterruptedException e) {
      // Kafka cannot stop a broker that is still starting, and it would go on writing.
      served
          .orTimeout(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
          .exceptionally(failed -> null)
          .join();
      throw new BrokerException("interrupted while the embedded broker started", e);
    } catch (ExecutionException e) {
      throw new BrokerException("the embedded broker cannot start: " + root(e).getMessage(), e);
    }
    BrokerException fault = failure.getNow(null);
    if (fault != null) {
      throw fault;
    }
  }

  private void failed(String reason) {
    if (closed.get()) {
      return;
    }
    String complaint = folder.complaint();
    String message = complaint == null ? "its log has the reason, " + reason : complaint;
    failure.complete(new BrokerException("the embedded broker stopped: " + message));
  }

  private static void release(@Nullable EmbeddedBroker broker, DataFolder folder) {
    if (broker == null) {
      folder.release();
    } else {
      broker.close();
    }
  }

  private static BrokerException explained(Exception e, DataFolder folder) {
    String text = String.valueOf(root(e).getMessage());
    if (text.contains("Failed to acquire lock")) {
      return folder.taken(e);
    }
    return e instanceof BrokerException told
        ? told
        : new BrokerException(
            "the embedded broker cannot start on " + folder.path() + ": " + text, e);
  }

  private static boolean hasCause(Throwable e, Class<? extends Throwable> type) {
    for (@Nullable Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (type.isInstance(cause)) {
        return true;
      }
    }
    return false;
  }

  private static Throwable root(Throwable e) {
    Throwable root = e;
    for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
      root = cause;
    }
    return root;
  }
}
