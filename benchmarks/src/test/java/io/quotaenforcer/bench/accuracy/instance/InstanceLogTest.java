package io.quotaenforcer.bench.accuracy.instance;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.PermitSource;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class InstanceLogTest {
  @Test
  void log_writtenAndRead_holdsTheSame() throws IOException {
    InstanceLog log = new InstanceLog(2);
    log.decided(11, 12, PermitSource.OPENING);
    log.asked(13, 14, 15);
    log.decided(21, 0, PermitSource.NONE);
    log.asked(23, 24, 25);
    log.ended(31, new long[] {32, 33});
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    log.write(new DataOutputStream(bytes));

    InstanceLog read =
        InstanceLog.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));

    assertThat(read).usingRecursiveComparison().isEqualTo(log);
  }
}
