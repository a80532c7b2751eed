package io.quotaenforcer.tutorial;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Ports and a folder of this test, in place of those that the page names. */
final class Places {
  private static final List<String> PORTS = List.of("9092", "8089", "8080", "8081", "8083");
  private static final String DATA = "quota-data";

  private final Map<String, String> ports;
  private final Path data;

  private Places(Map<String, String> ports, Path data) {
    this.ports = ports;
    this.data = data;
  }

  /** Ports that are free now. */
  static Places find(Path folder) throws IOException {
    Map<String, String> ports = new HashMap<>();
    List<ServerSocket> open = new ArrayList<>();
    try {
      for (String port : PORTS) {
        ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        open.add(socket);
        ports.put(port, Integer.toString(socket.getLocalPort()));
      }
    } finally {
      for (ServerSocket socket : open) {
        socket.close();
      }
    }
    return new Places(ports, folder.resolve(DATA));
  }

  /** Commands of the page, to be typed here. */
  String here(String commands) {
    String here =
        commands.replace(
            "./quota up",
            "./quota up --data %s --port 9092 --enforcer-port 8089 --gateway-port 8080 --grpc-port 8081"
                .formatted(DATA));
    here = here.replace(DATA, data.toString());
    for (Map.Entry<String, String> port : ports.entrySet()) {
      here = here.replaceAll("\\b" + port.getKey() + "\\b", port.getValue());
    }
    return here;
  }

  /** Output of here, as the page has it. */
  String onPage(String output) {
    String page = output.replace(data.toString(), DATA);
    for (Map.Entry<String, String> port : ports.entrySet()) {
      page = page.replaceAll("\\b" + port.getValue() + "\\b", port.getKey());
    }
    return page;
  }

  /**
   * Environment variables by which programs find the addresses that the page leaves to defaults,
   * and wait for Kafka as long as a busy machine may need.
   */
  Map<String, String> variables() {
    return Map.of(
        "QUOTA_BOOTSTRAP_SERVERS", "127.0.0.1:" + ports.get("9092"),
        "QUOTA_CONNECT_TIMEOUT", "40s",
        "QUOTA_ENFORCER", "http://127.0.0.1:" + ports.get("8089"));
  }
}
