package io.verbena.roce.mad;

/// Service ids of the RDMA connection manager: a port space above a 16-bit port.
public final class ServiceId {
    public static final int TCP = 0x0106;
    public static final int UDP = 0x0111;
    public static final int IB = 0x013F;
    public static final int IPOIB = 0x0002;

    private ServiceId() {}

    /// The service id of a port in a port space.
    public static long of(int portSpace, int port) {
        Field.fits("port space", portSpace, 16);
        Field.fits("port", port, 16);
        return (long) portSpace << 16 | port;
    }

    /// The port of a service id.
    public static int port(long serviceId) {
        return (int) serviceId & 0xFFFF;
    }

    /// The port space of a service id.
    public static int portSpace(long serviceId) {
        return (int) (serviceId >>> 16) & 0xFFFF;
    }
}
