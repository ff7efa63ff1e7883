# The loop stores to `aa`, which is no array of the entry.
cd "$2" || exit 3
cat >twice.loop <<'END'
(loops twice [n] (a: [n]f32) : [n]f32
  (buffers (in a f32 [n]) (out out f32 [n]))
  (loop i 0 n (store a i (+ (load a i) (load a i)))))
END
"$1" explain twice.loop
#! error E0726 1:1
