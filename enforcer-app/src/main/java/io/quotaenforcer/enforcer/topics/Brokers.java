package io.quotaenforcer.enforcer.topics;

import io.quotaenforcer.enforcer.config.KafkaConnection;
import io.quotaenforcer.enforcer.topics.BrokersException.Reason;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.NetworkException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.UnknownTopicIdException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/** An admin client that fails clearly and soon. */
public final class Brokers implements AutoCloseable {
  /** Long enough for a busy cluster, short enough for a waiting user. */
  public static final Duration TIMEOUT = Duration.ofSeconds(8);

  /** What a broker has begun takes longer where it has hundreds of partitions to make. */
  private static final Duration CHANGE_TIMEOUT = Duration.ofSeconds(30);

  private final KafkaConnection connection;
  private final Duration timeout;
  private final Admin admin;
  private boolean answered;

  private Brokers(KafkaConnection connection, Duration timeout, Admin admin) {
    this.connection = connection;
    this.timeout = timeout;
    this.admin = admin;
  }

  /**
   * Connects, and returns once a broker has answered.
   *
   * @throws BrokersException if none does within {@code timeout}
   * @throws ConfigException if the connection's properties are invalid
   */
  public static Brokers connect(KafkaConnection connection, Duration timeout) {
    Map<String, Object> properties = new HashMap<>(connection.adminProperties());
    int millis = Math.toIntExact(timeout.toMillis());
    properties.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, millis);
    properties.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, millis / 2);
    properties.put(AdminClientConfig.SOCKET_CONNECTION_SETUP_TIMEOUT_MS_CONFIG, millis / 2);
    properties.put(AdminClientConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 500);
    properties.put(AdminClientConfig.ENABLE_METRICS_PUSH_CONFIG, false);
    Admin admin;
    try {
      admin = Admin.create(properties);
    } catch (KafkaException e) {
      Throwable cause = root(e);
      if (cause instanceof ConfigException wrong && !isUnresolvable(wrong)) {
        throw wrong;
      }
      throw failed(connection, timeout, "connect", cause);
    }
    Brokers brokers = new Brokers(connection, timeout, admin);
    try {
      brokers.get("connect", admin.describeCluster().nodes());
      brokers.answered = true;
      return brokers;
    } catch (BrokersException e) {
      brokers.close();
      throw e;
    }
  }

  public Admin admin() {
    return admin;
  }

  /**
   * Whether there is a topic; asking never creates it.
   *
   * @throws BrokersException when the brokers do not answer
   */
  public boolean hasTopic(String name) {
    KafkaFuture<TopicDescription> described =
        admin.describeTopics(List.of(name)).topicNameValues().get(name);
    try {
      get("read topic " + name, Objects.requireNonNull(described));
      return true;
    } catch (BrokersException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        return false;
      }
      throw e;
    }
  }

  public KafkaConnection connection() {
    return connection;
  }

  public Duration timeout() {
    return timeout;
  }

  /** The time that a change may take that brokers which answer are to make. */
  public Duration changeTimeout() {
    return timeout.compareTo(CHANGE_TIMEOUT) > 0 ? timeout : CHANGE_TIMEOUT;
  }

  /**
   * Waits for an answer.
   *
   * @param what completes "could not ..."
   * @throws BrokersException if none comes, or it is a failure
   */
  public <T> T get(String what, KafkaFuture<T> future) {
    try {
      return future.get(timeout.toMillis() + 1_000, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw failed(what, e.getCause() == null ? e : e.getCause());
    } catch (TimeoutException e) {
      throw failed(what, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failed(what, e);
    }
  }

  /** Translates a failure of one of Kafka's clients. */
  public BrokersException failed(String what, Throwable cause) {
    return answered && isTimeout(cause)
        ? new BrokersException(
            Reason.UNREACHABLE,
            "Kafka at %s (%s) answered, but took too long: could not %s (%s); try again"
                .formatted(connection.bootstrapServers(), connection.origin(), what, textOf(cause)),
            cause)
        : failed(connection, timeout, what, cause);
  }

  @Override
  public void close() {
    admin.close(Duration.ZERO);
  }

  private static BrokersException failed(
      KafkaConnection connection, Duration timeout, String what, Throwable cause) {
    String servers = connection.bootstrapServers() + " (" + connection.origin() + ")";
    String text = textOf(cause);
    if (isUnresolvable(cause)) {
      return new BrokersException(
          Reason.UNREACHABLE,
          "cannot reach Kafka at " + servers + ": the name of the host cannot be resolved",
          cause);
    }
    if (cause instanceof AuthenticationException) {
      return new BrokersException(
          Reason.UNREACHABLE,
          "Kafka at "
              + servers
              + " does not accept the credentials ("
              + text
              + "): check security.protocol, sasl.* and ssl.*",
          cause);
    }
    if (cause instanceof AuthorizationException) {
      return new BrokersException(
          Reason.REFUSED, "Kafka does not allow it: could not " + what + " (" + text + ")", cause);
    }
    if (isTimeout(cause)) {
      return new BrokersException(
          Reason.UNREACHABLE,
          "cannot reach Kafka at "
              + servers
              + " within "
              + timeout.toSeconds()
              + " s: is it running there, and does it expect this security.protocol?",
          cause);
    }
    if (cause instanceof RetriableException && !isAboutTopic(cause)) {
      return new BrokersException(
          Reason.UNREACHABLE,
          "Kafka at " + servers + " is not ready: could not " + what + " (" + text + "); try again",
          cause);
    }
    if (cause instanceof InterruptedException) {
      return new BrokersException(Reason.REFUSED, "interrupted: could not " + what, cause);
    }
    return new BrokersException(Reason.REFUSED, "could not " + what + ": " + text, cause);
  }

  private static boolean isTimeout(Throwable cause) {
    return cause instanceof TimeoutException
        || cause instanceof org.apache.kafka.common.errors.TimeoutException
        || cause instanceof NetworkException;
  }

  private static String textOf(Throwable cause) {
    return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
  }

  /** Kafka counts these as worth another try, since the topic may be about to come. */
  private static boolean isAboutTopic(Throwable cause) {
    return cause instanceof UnknownTopicOrPartitionException
        || cause instanceof UnknownTopicIdException;
  }

  private static boolean isUnresolvable(Throwable cause) {
    return String.valueOf(cause.getMessage()).contains("No resolvable bootstrap urls");
  }

  private static Throwable root(Throwable e) {
    Throwable root = e;
    for (@Nullable Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
      root = cause;
    }
    return root;
  }
}
