package io.quotaenforcer.bench.accuracy.central;

import io.quotaenforcer.bench.process.ParentProgram;
import io.quotaenforcer.client.spi.Clocks;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.LongSupplier;

/** The store as a process: writes its port, and ends when its input does. */
public final class CentralStoreMain {
  private CentralStoreMain() {}

  public static void main(String[] arguments) throws IOException {
    ParentProgram parent = ParentProgram.connect();
    LongSupplier monotonic = System::nanoTime;
    long offset = Clocks.system().epochNanos().getAsLong() - monotonic.getAsLong();
    try (CentralStoreServer server = new CentralStoreServer(() -> offset + monotonic.getAsLong());
        InputStream orders = parent.orders()) {
      Thread thread = new Thread(server::serve, "central-store");
      thread.setDaemon(true);
      thread.start();
      parent.answers().writeInt(server.port());
      parent.answers().flush();
      while (orders.read() >= 0) {
        // Only their end is of interest.
      }
    }
  }
}
