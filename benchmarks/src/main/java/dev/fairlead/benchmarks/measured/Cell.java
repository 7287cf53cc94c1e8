package dev.fairlead.benchmarks.measured;

/** A cell is one line of the table: who was measured, doing what, with how many callers at once. */
public record Cell(String subject, String operation, int callers) implements Comparable<Cell> {
    @Override
    public int compareTo(Cell other) {
        int byOperation = operation.compareTo(other.operation);
        if (byOperation != 0) {
            return byOperation;
        }
        int bySubject = subject.compareTo(other.subject);
        return bySubject != 0 ? bySubject : Integer.compare(callers, other.callers);
    }

    @Override
    public String toString() {
        return operation + " " + subject + " @" + callers;
    }
}
