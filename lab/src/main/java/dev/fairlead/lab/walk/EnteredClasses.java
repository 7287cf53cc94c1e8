package dev.fairlead.lab.walk;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.Location;
import com.sun.jdi.Method;
import com.sun.jdi.StackFrame;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.IllegalConnectorArgumentsException;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.MethodEntryRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Records which methods of ours a running driver enters, and from where, by the JDK's debugger interface. */
final class EnteredClasses implements AutoCloseable {
    /** The option that makes a JVM say on which port it can be asked. */
    static final String AGENT = "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0";

    private static final String OURS = "dev.fairlead.";

    /** Begins the names of what starts the threads that carry out calls: it is on each of their stacks. */
    private static final String THREADS = OURS + "bootstrap.serving.process.WorkerThreads";

    private static final Set<String> OF_EVERY_VALUE =
            Set.of("equals", "hashCode", "toString", "compareTo", "values", "valueOf", "ordinal", "name");

    /** The length in bytes of a method that loads its object, loads a field of it, and returns that. */
    private static final int LONGEST_ACCESSOR = 5;

    private final VirtualMachine machine;
    private final MethodEntryRequest request;

    private EnteredClasses(VirtualMachine machine) {
        this.machine = machine;
        this.request = machine.eventRequestManager().createMethodEntryRequest();
        request.addClassFilter(OURS + "*");
        request.addClassExclusionFilter(THREADS + "*"); // how a thread begins is no part of a call either
        request.addClassExclusionFilter(OURS + "linux.ThreadNiceness*");
        request.addClassExclusionFilter(OURS + "linux.NativeCall*");
        request.addClassExclusionFilter(OURS + "bootstrap.logging.*"); // the form of a log line is no part of a call
        request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
    }

    static EnteredClasses of(int port) throws IOException {
        AttachingConnector connector = Bootstrap.virtualMachineManager().attachingConnectors().stream()
                .filter(each -> each.name().equals("com.sun.jdi.SocketAttach"))
                .findFirst()
                .orElseThrow();
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        Objects.requireNonNull(arguments.get("hostname")).setValue("127.0.0.1");
        Objects.requireNonNull(arguments.get("port")).setValue(Integer.toString(port));
        try {
            return new EnteredClasses(connector.attach(arguments));
        } catch (IllegalConnectorArgumentsException e) {
            throw new IOException(e);
        }
    }

    /** Runs the call, and returns each entry of a method until it ended. */
    List<Entry> during(Runnable call) throws InterruptedException {
        List<Entry> entries = new ArrayList<>();
        request.enable();
        Thread caller = Thread.ofPlatform().start(call);
        boolean ended = false;
        while (!ended) {
            boolean answered = !caller.isAlive();
            EventSet events = machine.eventQueue().remove(500);
            ended = events == null && answered;
            if (events != null) {
                for (Event event : events) {
                    if (event instanceof MethodEntryEvent entry) {
                        entries.add(entry(entry));
                    }
                }
                events.resume();
            }
        }
        request.disable();
        return entries;
    }

    private static Entry entry(MethodEntryEvent event) {
        try {
            List<Frame> frames = new ArrayList<>();
            boolean ours = true;
            for (StackFrame frame : event.thread().frames().reversed()) {
                boolean called = ours;
                String type = frame.location().declaringType().name();
                ours = type.startsWith(OURS) && !type.startsWith(THREADS) && !type.contains("$$Lambda");
                if (ours) {
                    frames.add(new Frame(topLevel(frame.location()), !called));
                }
            }
            return new Entry(
                    event.thread().uniqueID(),
                    topLevel(event.location()),
                    isStep(event.method()),
                    built(event),
                    frames);
        } catch (IncompatibleThreadStateException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Returns whether a method does anything: constructors and initialisers, what every record and enum has, and
     * methods that only hand out a field or a constant do nothing by themselves.
     */
    private static boolean isStep(Method method) {
        return !method.isConstructor()
                && !method.isStaticInitializer()
                && !OF_EVERY_VALUE.contains(method.name())
                && method.bytecodes().length > LONGEST_ACCESSOR;
    }

    /** Returns the class of which the method builds an object; empty if it does something else. */
    private static String built(MethodEntryEvent event) throws IncompatibleThreadStateException {
        Method method = event.method();
        if (!method.isConstructor() || isCalledByConstructor(event.thread(), method)) {
            return "";
        }
        return method.declaringType().name().substring(OURS.length());
    }

    /** Returns whether one constructor of a class has called another of the same class. */
    private static boolean isCalledByConstructor(ThreadReference thread, Method method)
            throws IncompatibleThreadStateException {
        if (thread.frameCount() < 2) {
            return false;
        }
        Method caller = thread.frame(1).location().method();
        return caller.isConstructor() && caller.declaringType().equals(method.declaringType());
    }

    private static String topLevel(Location where) {
        String type = where.declaringType().name().substring(OURS.length());
        int nested = type.indexOf('$');
        return nested < 0 ? type : type.substring(0, nested);
    }

    @Override
    public void close() {
        try {
            machine.dispose();
        } catch (VMDisconnectedException _) {
            // it has ended already
        }
    }

    /**
     * Holds one entry of a method.
     *
     * @param type its top-level class, without the beginning that all of ours share
     * @param step whether the method does anything
     * @param built the class of which the method builds an object; empty if it does something else
     * @param frames the calls that led to it in its thread, outermost first, itself last
     */
    record Entry(long thread, String type, boolean step, String built, List<Frame> frames) {}

    /** @param given whether its caller was given it: a lambda, or an object that a library calls */
    record Frame(String type, boolean given) {}
}
