package io.quotaenforcer.samples.servlet;

import io.quotaenforcer.testkit.AdapterTrial;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The sample, twice, each a process; Kafka is killed between. */
@Timeout(720)
class ShopServerIT {
  @TempDir Path folder;

  @Test
  void twoServices_admitExactlyTheLimit_andOutliveKafka() throws Exception {
    AdapterTrial.run(folder, ShopServer.class);
  }
}
