package io.quotaenforcer.client.internal.kafka;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.apache.kafka.common.Node;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether any broker takes a connection. While none does, no Kafka client of ours is in use: they
 * would try again many times a second, and write a line or three each time. Instead one thread
 * tries to connect now and then, and one line says when that begins, another when it is over.
 *
 * <p>Safe for use by any number of threads.
 */
public final class KafkaPresence {
  private static final Logger log = LoggerFactory.getLogger(KafkaPresence.class);
  private static final int CONNECT_MILLIS = 1_000;
  private static final long TICK_MILLIS = 50;

  /** A few of a cluster of hundreds are enough. */
  private static final int MOST_KNOWN = 5;

  private final List<Address> bootstrap;
  private final Predicate<Address> probe;
  private volatile List<Address> known = List.of();
  private volatile boolean away;

  @GuardedBy("this")
  private long sinceNanos;

  /** Where a broker may be. */
  record Address(String host, int port) {
    @Override
    public String toString() {
      return host + ":" + port;
    }
  }

  KafkaPresence(List<Address> bootstrap, Predicate<Address> probe) {
    this.bootstrap = List.copyOf(bootstrap);
    this.probe = probe;
  }

  /**
   * Watches the brokers that a Kafka client would ask first.
   *
   * @param properties of that client
   */
  public static KafkaPresence of(Map<String, ?> properties) {
    List<Address> addresses = new ArrayList<>();
    Object servers = properties.get("bootstrap.servers");
    String text = servers instanceof Collection<?> list ? join(list) : String.valueOf(servers);
    for (String part : text.split(",")) {
      int colon = part.lastIndexOf(':');
      if (colon > 0) {
        addresses.add(address(part.substring(0, colon).strip(), part.substring(colon + 1).strip()));
      }
    }
    return new KafkaPresence(addresses, KafkaPresence::takesConnection);
  }

  private static String join(Collection<?> parts) {
    return String.join(",", parts.stream().map(String::valueOf).toList());
  }

  private static Address address(String host, String port) {
    String bare = host.substring(host.indexOf("://") < 0 ? 0 : host.indexOf("://") + 3);
    boolean bracketed = bare.startsWith("[") && bare.endsWith("]");
    return new Address(
        bracketed ? bare.substring(1, bare.length() - 1) : bare, Integer.parseInt(port));
  }

  /** Whether no broker took a connection when somebody last looked. */
  public boolean isAway() {
    return away;
  }

  /** Remembers brokers that do not begin the list of servers. */
  void learn(Collection<Node> brokers) {
    known = brokers.stream().map(node -> new Address(node.host(), node.port())).toList();
  }

  /**
   * Tries to connect, and returns whether no broker is there. May take a second for each that is
   * silent: for threads that have nothing else to do.
   */
  synchronized boolean look() {
    Set<Address> all = new LinkedHashSet<>();
    known.stream().limit(MOST_KNOWN).forEach(all::add);
    // All of them, since every broker that was known may have moved.
    all.addAll(bootstrap);
    boolean there = all.isEmpty() || all.stream().anyMatch(probe);
    if (there && away) {
      away = false;
      log.info("Kafka can be reached again, after {} s", secondsAway());
    } else if (!there && !away) {
      away = true;
      sinceNanos = System.nanoTime();
      log.warn(
          "Kafka cannot be reached at {}: rules decide by on-unavailable, and nothing is reported,"
              + " until it can; tried again every second or two",
          all);
    }
    return away;
  }

  /** Waits until Kafka is there, or there is a reason to go on; never looks itself. */
  public void awaitBack(BooleanSupplier goOn) throws InterruptedException {
    while (away && !goOn.getAsBoolean()) {
      TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
    }
  }

  /** The servers, for a message to somebody who asks why nothing comes. */
  public String servers() {
    return bootstrap.toString();
  }

  @GuardedBy("this")
  private long secondsAway() {
    return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - sinceNanos);
  }

  private static boolean takesConnection(Address address) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(address.host(), address.port()), CONNECT_MILLIS);
      return true;
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }
}
