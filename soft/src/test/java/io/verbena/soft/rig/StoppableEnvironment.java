package io.verbena.soft.rig;

import io.verbena.soft.device.SimulatedEnvironment;
import io.verbena.soft.engine.Engine;
import io.verbena.soft.local.Neighbourhood;
import io.verbena.soft.net.SimulatedNetwork;
import io.verbena.soft.net.Steppable;
import io.verbena.soft.net.Wire;
import io.verbena.soft.option.SoftOptions;
import io.verbena.soft.os.Announcement;
import io.verbena.soft.os.SealedMemory;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Gid;
import java.net.InetAddress;
import java.util.List;
import java.util.Random;

/// A simulated ground whose engine can be stopped, and that can refuse shared memory.
final class StoppableEnvironment extends SimulatedEnvironment {
    boolean still;
    Wire wire;
    private final Limited neighbourhood;

    private static final class Limited extends Neighbourhood {
        private final Neighbourhood neighbourhood;
        private boolean refuses;

        Limited(Neighbourhood neighbourhood) {
            this.neighbourhood = neighbourhood;
        }

        @Override
        public SealedMemory create(long bytes, boolean reserve) {
            if (refuses) {
                throw new RdmaException("create shared memory", Errno.ENOMEM, "the test wants none");
            }
            return neighbourhood.create(bytes, reserve);
        }

        @Override
        public Runnable announce(Gid gid, SealedMemory device) {
            return neighbourhood.announce(gid, device);
        }

        @Override
        public List<Announcement> find(Gid gid) {
            return neighbourhood.find(gid);
        }
    }

    /// Nothing is shared.
    StoppableEnvironment(SimulatedNetwork network) {
        this(network, (Limited) null);
    }

    StoppableEnvironment(SimulatedNetwork network, Neighbourhood neighbourhood) {
        this(network, new Limited(neighbourhood));
    }

    private StoppableEnvironment(SimulatedNetwork network, Limited neighbourhood) {
        super(network, new Random(1), neighbourhood);
        this.neighbourhood = neighbourhood;
    }

    void refuseMemory() {
        neighbourhood.refuses = true;
    }

    @Override
    public Wire openWire(InetAddress local, SoftOptions options) {
        wire = super.openWire(local, options);
        return wire;
    }

    @Override
    protected Steppable running(Engine engine) {
        Steppable running = super.running(engine);
        return new Steppable() {
            @Override
            public int step(long nowNs) {
                return still ? 0 : running.step(nowNs);
            }

            @Override
            public long untilNextNs(long nowNs) {
                return still ? Long.MAX_VALUE >> 1 : running.untilNextNs(nowNs);
            }
        };
    }
}
