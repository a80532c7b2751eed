package io.quotaenforcer.bench.accuracy.central;

import io.quotaenforcer.bench.process.ChildJvm;
import java.io.IOException;
import java.util.List;

/** A store in a process of its own, ended when it is closed. */
public final class CentralStoreProcess implements AutoCloseable {
  private static final int HEAP_MEBIBYTES = 64;

  private final ChildJvm process;
  private final int port;

  private CentralStoreProcess(ChildJvm process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Starts it, and returns when it listens. */
  public static CentralStoreProcess start() throws IOException {
    ChildJvm process = ChildJvm.start(CentralStoreMain.class, HEAP_MEBIBYTES, List.of());
    try {
      return new CentralStoreProcess(process, process.answers().readInt());
    } catch (IOException e) {
      process.close();
      throw e;
    }
  }

  /** Where it listens on loopback. */
  public int port() {
    return port;
  }

  @Override
  public void close() {
    process.close();
  }
}
