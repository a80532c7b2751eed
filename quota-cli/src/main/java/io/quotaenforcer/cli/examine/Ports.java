package io.quotaenforcer.cli.examine;

import io.quotaenforcer.cli.doctor.Reach;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** Tries whether ports take connections. */
final class Ports {
  private static final Duration LONGEST = Duration.ofSeconds(2);
  private static final int MOST = 20;

  private Ports() {}

  /**
   * Tries the first twenty of these.
   *
   * @param servers host:port, separated by commas
   */
  static List<Reach.Port> ask(String servers) {
    return Arrays.stream(servers.split(","))
        .map(String::strip)
        .filter(server -> server.lastIndexOf(':') > 0)
        .limit(MOST)
        .map(
            server -> {
              int colon = server.lastIndexOf(':');
              return ask(server.substring(0, colon), server.substring(colon + 1));
            })
        .toList();
  }

  private static Reach.Port ask(String host, String port) {
    return port.matches("[0-9]{1,5}") && Integer.parseInt(port) <= 65_535
        ? ask(host, Integer.parseInt(port))
        : new Reach.Port(host + ":" + port, Reach.Answer.REFUSES);
  }

  static Reach.Port ask(String host, int port) {
    String name = host.replaceAll("^.*://|[\\[\\]]", "");
    return new Reach.Port(host + ":" + port, answer(new InetSocketAddress(name, port)));
  }

  private static Reach.Answer answer(InetSocketAddress address) {
    if (address.isUnresolved()) {
      return Reach.Answer.UNKNOWN_HOST;
    }
    try (Socket socket = new Socket()) {
      socket.connect(address, Math.toIntExact(LONGEST.toMillis()));
      return Reach.Answer.ACCEPTS;
    } catch (SocketTimeoutException e) {
      return Reach.Answer.SILENT;
    } catch (IOException e) {
      return Reach.Answer.REFUSES;
    }
  }
}
