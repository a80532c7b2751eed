package io.quotaenforcer.armeria;

import io.quotaenforcer.testkit.AdapterTrial;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(720)
class QuotaServiceIT {
  @TempDir Path folder;

  @Test
  void twoServices_admitExactlyTheLimit_andOutliveKafka() throws Exception {
    AdapterTrial.run(folder, ShopService.class);
  }
}
