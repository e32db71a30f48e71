"""What ``rtckb.pyz`` runs: this archive's modules, and none that some package on the machine offers in their place.

Any Python since 2.7 can compile this file, so that an old one is told what it lacks.
"""
# mypy: ignore-errors
# (An annotation is no syntax for Python 2.)

import sys

if sys.version_info < (3, 11):
    sys.exit("rtckb: found Python %d.%d; wanted Python 3.11 or newer" % sys.version_info[:2])

from importlib.machinery import ModuleSpec
from marshal import loads


class Held:
    """Every module of the archive, read in one piece: the folder may be replaced or removed while they run.

    ``zipimport`` opens the archive again for each module, at offsets that a newer archive no longer has.
    """

    def __init__(self, zipped):
        self.archive = zipped.archive
        zipped.invalidate_caches()
        try:
            data, self.read = zipped.get_data("modules." + sys.implementation.cache_tag), loads
        except OSError:
            data, self.read = zipped.get_data("modules.source"), self.compiled
        self.modules = loads(data)

    def compiled(self, source):
        """Compile a module for a Python that this archive holds no code for."""
        return compile(source, self.archive, "exec")

    def find_spec(self, name, path=None, target=None):
        """Answer for this archive's modules alone."""
        if name in self.modules:
            return ModuleSpec(name, self, origin=self.archive, is_package=self.modules[name][0])
        return None

    def create_module(self, spec):
        """Leave it to the interpreter."""
        return None

    def exec_module(self, module):
        """Run a module's code in it."""
        exec(self.read(self.modules[module.__name__][1]), module.__dict__)


if __name__ == "__main__":
    sys.meta_path.insert(0, Held(__loader__))
    from rtckb import main

    main()
