package io.verbena.applications.netty;

import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;

/// Netty's tests of sockets with servers at an address that the property `applications.address` names. Netty's own are
/// at 127.0.0.1, which devices of the kernel do not serve. Its tests ask a method of their own for the address, so each
/// needs a subclass, which is made here.
final class AtAddress {
    /// The address of servers; null for Netty's own tests.
    static final String ADDRESS = System.getProperty("applications.address");

    /// Those that are run when none is named.
    private static final List<String> USUAL = List.of(
            "SocketEchoTest",
            "SocketFixedLengthEchoTest",
            "SocketStringEchoTest",
            "SocketGatheringWriteTest",
            "SocketHalfClosedTest",
            "SocketAutoReadTest",
            "SocketRstTest");

    private AtAddress() {}

    /// For the classes that are made here.
    static SocketAddress address() {
        return new InetSocketAddress(ADDRESS, 0);
    }

    /// @param names simple names of Netty's classes; none for the usual ones
    static List<? extends Class<?>> tests(String... names) {
        List<String> wanted = names.length == 0 ? USUAL : List.of(names);
        return wanted.stream().map(AtAddress::test).toList();
    }

    private static Class<?> test(String name) {
        ClassDesc here = AtAddress.class.describeConstable().orElseThrow();
        ClassDesc nettys = ClassDesc.of(SuiteRunner.PACKAGE, name);
        MethodTypeDesc address =
                MethodTypeDesc.of(SocketAddress.class.describeConstable().orElseThrow());
        byte[] subclass = ClassFile.of()
                .build(
                        ClassDesc.of(AtAddress.class.getPackageName(), name),
                        made -> made.withSuperclass(nettys)
                                .withFlags(ClassFile.ACC_PUBLIC)
                                .withMethodBody(
                                        ConstantDescs.INIT_NAME,
                                        ConstantDescs.MTD_void,
                                        ClassFile.ACC_PUBLIC,
                                        code -> code.aload(0)
                                                .invokespecial(nettys, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void)
                                                .return_())
                                .withMethodBody(
                                        "newSocketAddress",
                                        address,
                                        ClassFile.ACC_PUBLIC,
                                        code -> code.invokestatic(here, "address", address)
                                                .areturn()));
        try {
            return MethodHandles.lookup().defineClass(subclass);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("%s cannot be served at %s".formatted(name, ADDRESS), e);
        }
    }
}
