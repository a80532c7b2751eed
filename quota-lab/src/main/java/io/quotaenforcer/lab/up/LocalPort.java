package io.quotaenforcer.lab.up;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A port of 127.0.0.1 to listen on.
 *
 * @param option of the command line that sets it
 * @param number 0: any that is free
 */
public record LocalPort(String option, int number) {
  private static final int MOST = 65_535;

  public LocalPort {
    if (number < 0 || number > MOST) {
      throw new UpException("must be from 0 to %d: %s=%d".formatted(MOST, option, number));
    }
  }

  /**
   * Checks that nobody listens there yet, so that all conflicts are named at once.
   *
   * @throws UpException naming those that are taken, one in a line
   */
  static void checkFree(List<LocalPort> ports) {
    String taken =
        ports.stream()
            .filter(LocalPort::isTaken)
            .map(LocalPort::complaint)
            .collect(Collectors.joining("\n"));
    if (!taken.isEmpty()) {
      throw new UpException(taken);
    }
  }

  private String complaint() {
    return "cannot listen on 127.0.0.1:%d, another program does: end it, or choose another port with %s (0: any that is free)"
        .formatted(number, option);
  }

  private boolean isTaken() {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), number));
      return false;
    } catch (IOException e) {
      return true;
    }
  }
}
