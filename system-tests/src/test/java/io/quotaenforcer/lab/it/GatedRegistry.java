package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assumptions.assumeThat;

import io.quotaenforcer.schemas.codec.RegistryProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * An Apicurio registry in a process of its own, and a gate in front of it: those who go through the
 * gate find nobody there while it is shut, and those who do not still do.
 */
final class GatedRegistry implements AutoCloseable {
  private static final Path ROOT = Path.of("..");
  private static final String API = "/apis/ccompat/v7";

  private final RegistryProcess registry;
  private final int port;
  private final int gatePort;
  private final Set<Socket> through = ConcurrentHashMap.newKeySet();
  private volatile @Nullable ServerSocket gate;

  private GatedRegistry(RegistryProcess registry) throws IOException {
    this.registry = registry;
    this.port = URI.create(registry.url()).getPort();
    ServerSocket first = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    gatePort = first.getLocalPort();
    listen(first);
  }

  static GatedRegistry start(Path folder) throws IOException {
    assumeThat(RegistryProcess.isBuilt(ROOT))
        .as("a registry, which the whole build unpacks")
        .isTrue();
    return new GatedRegistry(RegistryProcess.start(ROOT, folder.resolve("registry.log")));
  }

  /** Past the gate. */
  String url() {
    return registry.url();
  }

  String gatedUrl() {
    return "http://127.0.0.1:" + gatePort + API;
  }

  void shut() throws IOException {
    ServerSocket open = gate;
    gate = null;
    if (open != null) {
      open.close();
    }
    for (Socket socket : through) {
      socket.close();
    }
  }

  /** Opens the gate, if it is shut. */
  void open() throws IOException {
    if (gate != null) {
      return;
    }
    listen(new ServerSocket(gatePort, 50, InetAddress.getLoopbackAddress()));
  }

  private void listen(ServerSocket socket) {
    gate = socket;
    daemon(
        () -> {
          while (!socket.isClosed()) {
            Socket from = socket.accept();
            Socket to = new Socket(InetAddress.getLoopbackAddress(), port);
            through.add(from);
            through.add(to);
            daemon(() -> copy(from, to));
            daemon(() -> copy(to, from));
          }
        });
  }

  private void copy(Socket from, Socket to) throws IOException {
    try (from;
        to;
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      in.transferTo(out);
    } finally {
      through.remove(from);
      through.remove(to);
    }
  }

  private interface Forwarding {
    void run() throws IOException;
  }

  private static void daemon(Forwarding forwarding) {
    Thread thread =
        new Thread(
            () -> {
              try {
                forwarding.run();
              } catch (IOException e) {
                // The gate was shut, or one side has gone.
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException, InterruptedException {
    shut();
    registry.close();
  }
}
