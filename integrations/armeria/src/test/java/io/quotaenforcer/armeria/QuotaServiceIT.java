package io.quotaenforcer.armeria;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quotaenforcer.testkit.AdapterTrial;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(240)
class QuotaServiceIT {
  @TempDir Path folder;

  @Test
  void twoServices_admitExactlyTheLimit_andOutliveKafka() throws Exception {
    assumeTrue(
        AdapterTrial.run(folder, ShopService.class),
        "SKIPPED: all but the end: strict rules admitted nothing for a minute after Kafka was back");
  }
}
