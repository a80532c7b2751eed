package io.quotaenforcer.bench.process;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The program that started this one, as a {@link ChildJvm} sees it.
 *
 * @param orders end when the program needs this one no more, or has ended
 * @param answers to be flushed
 */
public record ParentProgram(DataInputStream orders, DataOutputStream answers) {

  /** To be called once, and first: what libraries print from now on goes to the complaints. */
  public static ParentProgram connect() {
    System.setOut(
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8));
    return new ParentProgram(
        new DataInputStream(new BufferedInputStream(new FileInputStream(FileDescriptor.in))),
        new DataOutputStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out))));
  }
}
