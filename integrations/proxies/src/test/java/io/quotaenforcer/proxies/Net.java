package io.quotaenforcer.proxies;

import io.quotaenforcer.lab.process.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Ports of the loopback address. */
final class Net {
  private static final int ANSWER_MILLIS = 20_000;

  private Net() {}

  /** Ports that are free now, all different. */
  static List<Integer> freePorts(int count) throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      List<Integer> ports = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        sockets.add(socket);
        ports.add(socket.getLocalPort());
      }
      return ports;
    } finally {
      for (ServerSocket socket : sockets) {
        socket.close();
      }
    }
  }

  /** The start of what a server answers to a head that no HTTP client would send. */
  static String raw(int port, String head) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(ANSWER_MILLIS);
      socket.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
      StringBuilder answer = new StringBuilder();
      BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
      String line = lines.readLine();
      while (line != null && !line.isEmpty()) {
        answer.append(line).append('\n');
        line = lines.readLine();
      }
      return answer.toString();
    }
  }

  static boolean isListening(int port) {
    return ChildJvm.isListening(port);
  }
}
