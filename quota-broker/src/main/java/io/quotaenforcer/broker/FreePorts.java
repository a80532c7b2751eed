package io.quotaenforcer.broker;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** Ports on 127.0.0.1. */
final class FreePorts {
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

  private FreePorts() {}

  /** The broker's and the controller's port. */
  record Pair(int broker, int controller) {}

  /**
   * The requested port, which must be free, and another free one; for 0, two free ports.
   *
   * <p>Another program may take a port before the broker does: the caller tries again.
   */
  static Pair take(int brokerPort) {
    try (ServerSocket broker = bind(brokerPort);
        ServerSocket controller = bind(0)) {
      return new Pair(broker.getLocalPort(), controller.getLocalPort());
    } catch (IOException e) {
      throw new BrokerException(taken(brokerPort), e);
    }
  }

  static String taken(int port) {
    return "cannot listen on 127.0.0.1:"
        + port
        + ", another program uses it: choose another port, or 0 for a free one";
  }

  private static ServerSocket bind(int port) throws IOException {
    ServerSocket socket = new ServerSocket();
    try {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(LOOPBACK, port));
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }
}
