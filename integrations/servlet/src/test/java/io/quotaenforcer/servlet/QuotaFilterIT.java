package io.quotaenforcer.servlet;

import io.quotaenforcer.samples.servlet.ShopServer;
import io.quotaenforcer.testkit.AdapterTrial;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(240)
class QuotaFilterIT {
  @TempDir Path folder;

  @Test
  void twoServices_admitExactlyTheLimit_andOutliveKafka() throws Exception {
    AdapterTrial.run(folder, ShopServer.class);
  }
}
