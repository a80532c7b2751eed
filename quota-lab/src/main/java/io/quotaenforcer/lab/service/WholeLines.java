package io.quotaenforcer.lab.service;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file of lines whose writer may have been killed while it wrote one. */
final class WholeLines {
  private WholeLines() {}

  /** Cuts off what follows the last end of a line. */
  static void keep(Path path) throws IOException {
    try (FileChannel file =
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      long end = file.size();
      ByteBuffer last = ByteBuffer.allocate(1);
      while (end > 0 && !isEndOfLine(file, end - 1, last)) {
        end--;
      }
      file.truncate(end);
    }
  }

  private static boolean isEndOfLine(FileChannel file, long position, ByteBuffer read)
      throws IOException {
    read.clear();
    return file.read(read, position) == 1 && read.get(0) == '\n';
  }
}
