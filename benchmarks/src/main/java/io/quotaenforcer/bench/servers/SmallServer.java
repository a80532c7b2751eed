package io.quotaenforcer.bench.servers;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.Load;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.adapt.LoadQuantity;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * An HTTP server whose capacity is known: each of its workers serves one request at a time, in a
 * time that is set. It asks its admission client first, and says what its load is. What is admitted
 * is worked off even if its caller has gone.
 */
final class SmallServer implements AutoCloseable {
  static final int WORKERS = 4;

  /** Requests that wait for a worker; more are answered with 503. */
  static final int MOST_WAITING = 400;

  private static final Request REQUEST = Request.of();

  private final AdmissionClient client;
  private final HttpServer http;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Semaphore workers = new Semaphore(WORKERS, true);
  private volatile long serviceMillis;

  private SmallServer(AdmissionClient client, HttpServer http, long serviceMillis) {
    this.client = client;
    this.http = http;
    this.serviceMillis = serviceMillis;
  }

  static SmallServer start(AdmissionClient client, long serviceMillis) throws IOException {
    // Without it an answer waits for the caller's acknowledgement, 40 ms.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    InetSocketAddress free = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    SmallServer server = new SmallServer(client, HttpServer.create(free, 0), serviceMillis);
    server.http.createContext("/", server::handle);
    server.http.setExecutor(server.threads);
    client.load().measure(LoadQuantity.QUEUE, server.workers::getQueueLength);
    server.http.start();
    return server;
  }

  URI address() {
    return URI.create("http://localhost:" + http.getAddress().getPort() + "/");
  }

  /** Each request takes so long from now on. */
  void serveIn(long millis) {
    serviceMillis = millis;
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.sendResponseHeaders(status(), -1);
    }
  }

  private int status() {
    if (!client.decide(REQUEST).admitted()) {
      return 429;
    }
    if (workers.getQueueLength() >= MOST_WAITING) {
      return 503;
    }
    try (Load.Running running = client.load().begin()) {
      workers.acquire();
      try {
        TimeUnit.MILLISECONDS.sleep(serviceMillis);
        return 200;
      } catch (InterruptedException e) {
        running.failed();
        throw e;
      } finally {
        workers.release();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 503;
    }
  }

  @Override
  public void close() {
    http.stop(0);
    threads.shutdownNow();
  }
}
