// Records of one file -> columns; events/reference.py is the readable twin and defines every answer.
//
// A decoder is fed pieces of one file in order. Its columns hold the rows of a batch of pieces; its vocabulary grows.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "framing.h"
#include "tensors.h"
#include "vocabulary.h"
#include "wire.h"

namespace tbd {

// A DebugEvent's content: the wall time and the one member that counts.
struct Event {
  double wall_time;
  uint64_t member;
  Span content;
  int64_t offset;
};

// A batch's columns, shared with the arrays that Python sees. Once those are gone their memory serves another batch:
// fresh memory costs more than what is written to it.
template <typename Columns>
class SharedColumns {
 public:
  Columns& StartAnew() {
    if (current_.use_count() == 1) {
      std::atomic_thread_fence(std::memory_order_acquire);
      current_->Clear();
    } else {
      current_ = std::make_shared<Columns>();
    }
    return *current_;
  }

  const std::shared_ptr<Columns>& get() const { return current_; }
  Columns* operator->() const { return current_.get(); }

 private:
  std::shared_ptr<Columns> current_ = std::make_shared<Columns>();
};

// Columns that grow together. Room is made for a row in all of them at once, and values are then set by index: one check a
// row instead of one a value. The vectors are longer than `size`.
class Group {
 public:
  size_t size() const { return size_; }
  void Clear() { size_ = 0; }
  void Add(size_t rows) { size_ += rows; }

  // Room for `more` rows from size() on.
  template <typename... Vectors>
  TBD_INLINE void MakeRoom(size_t more, Vectors&... columns) {
    if (capacity_ - size_ < more) Grow(more, columns...);
  }

 private:
  template <typename... Vectors>
  TBD_APART void Grow(size_t more, Vectors&... columns) {
    const size_t capacity = std::max(capacity_ * 2, size_ + more + 256);
    (columns.resize(capacity), ...);
    capacity_ = capacity;  // Now, for a resize may fail.
  }

  size_t size_ = 0;
  size_t capacity_ = 0;
};

// Rows of events.batches.TensorValues.
struct ValueColumns {
  Group rows;
  std::vector<uint8_t> dtype;
  std::vector<int16_t> rank;
  std::vector<int64_t> size;
  std::vector<int32_t> shape;
  std::vector<int32_t> counts[kNumClasses];
  std::vector<int8_t> bad;

  TBD_INLINE void MakeRoom(size_t more) {
    rows.MakeRoom(more, dtype, rank, size, shape, counts[0], counts[1], counts[2], counts[3], counts[4], counts[5], bad);
  }
  // Sets all but the shape in a row that there is room for. It counts once it is added.
  void Set(size_t row, const TensorSummary& summary);
};

class Decoder {
 public:
  // `offset`, `resyncing`: where another decoder of the file has stopped.
  explicit Decoder(CleanName clean, int64_t offset = 0, bool resyncing = false)
      : vocabulary_(clean), clean_(clean), offset_(offset), resyncing_(resyncing) {}
  virtual ~Decoder() = default;

  // Decodes the whole records at the start of a piece, and tells how many bytes were used. Their rows come behind those
  // of the pieces before it.
  size_t Feed(const uint8_t* data, size_t size);

  // Begins with no rows and no losses.
  void StartBatch();

  // Bounds what the file's distinct names may take, by Room's measure.
  void SetRoom(size_t num_bytes) { vocabulary_.room.set(num_bytes); }

  const std::vector<Loss>& losses() const { return losses_; }
  const Vocabulary& vocabulary() const { return vocabulary_; }
  int64_t offset() const { return offset_; }
  bool resyncing() const { return resyncing_; }

 protected:
  virtual void Reset() = 0;
  // False if the content is not what the member says, or Fail was called; nothing is appended then.
  virtual bool DecodeMember(const Event& event) = 0;

  // Says why a record is left out that is an event all the same.
  bool Fail(LossKind kind) {
    failure_ = kind;
    return false;
  }

  // A name that is kept with its record, and in no vocabulary.
  std::string Kept(std::string_view name) { return tbd::Kept(name, clean_, vocabulary_.room); }

  int32_t ShapeId(const std::vector<int64_t>& shape);

  Vocabulary vocabulary_;

 private:
  CleanName clean_;
  LossKind failure_ = LossKind::kUndecodable;
  std::vector<Loss> losses_;
  int64_t offset_;
  bool resyncing_;
};

class ExecutionDecoder : public Decoder {
 public:
  using Decoder::Decoder;

  struct Columns {
    std::vector<int64_t> offset;
    std::vector<double> wall_time;
    std::vector<int32_t> op_type, graph, location;
    std::vector<uint8_t> mode;
    std::vector<int32_t> num_inputs, num_outputs, num_values;
    std::vector<int64_t> input_tensor_id, output_tensor_id;
    std::vector<int32_t> output_device_id;
    ValueColumns values;

    Group rows, inputs, outputs;

    void Clear() {
      rows.Clear();
      inputs.Clear();
      outputs.Clear();
      values.rows.Clear();
    }
  };
  SharedColumns<Columns> columns;

 protected:
  void Reset() override { columns.StartAnew(); }
  bool DecodeMember(const Event& event) override;

 private:
  std::vector<Span> tensor_spans_;
  std::vector<std::vector<int64_t>> shapes_;  // Of the values that have one, at the values' places.
  std::vector<int32_t> devices_;
  TensorReader tensors_;
};

class TraceDecoder : public Decoder {
 public:
  using Decoder::Decoder;

  struct Columns {
    std::vector<int64_t> offset;
    std::vector<double> wall_time;
    std::vector<int32_t> op, output_slot;
    std::vector<uint8_t> mode;
    std::vector<int32_t> device;
    std::vector<int64_t> tensor_id;
    ValueColumns values;

    Group rows;

    void Clear() {
      rows.Clear();
      values.rows.Clear();
    }
  };
  SharedColumns<Columns> columns;

 protected:
  void Reset() override { columns.StartAnew(); }
  bool DecodeMember(const Event& event) override;

 private:
  TensorReader tensors_;
};

class GraphsDecoder : public Decoder {
 public:
  using Decoder::Decoder;

  struct Graph {
    int64_t offset;
    double wall_time;
    int32_t graph;
    std::string name;
    int32_t outer;
  };
  struct Device {
    int32_t device_id;
    std::string name;
  };
  struct Columns {
    std::vector<int64_t> offset;
    std::vector<double> wall_time;
    std::vector<int32_t> op, op_type, location, num_inputs, num_outputs, input_op, input_slot;
    std::vector<int64_t> output_tensor_id;
    std::vector<Graph> graphs;
    std::vector<Device> devices;

    void Clear() { *this = Columns(); }
  };
  SharedColumns<Columns> columns;

 protected:
  void Reset() override { columns.StartAnew(); }
  bool DecodeMember(const Event& event) override;

 private:
  bool DecodeOp(const Event& event);
  bool DecodeGraph(const Event& event);
  bool DecodeDevice(const Event& event);

  std::vector<Span> inputs_;
  std::vector<int32_t> input_ops_, input_slots_;
  std::vector<int64_t> outputs_;
};

class SourceFilesDecoder : public Decoder {
 public:
  using Decoder::Decoder;

  struct File {
    int64_t offset;
    std::string host_name, file_path;
    int64_t num_lines;
  };
  std::vector<File> files;

 protected:
  void Reset() override { files.clear(); }
  bool DecodeMember(const Event& event) override;
};

class StackFramesDecoder : public Decoder {
 public:
  using Decoder::Decoder;

  struct Frame {
    std::string frame_id;
    int32_t file_index, lineno;
    std::string function;
  };
  std::vector<Frame> frames;

 protected:
  void Reset() override { frames.clear(); }
  bool DecodeMember(const Event& event) override;
};

}  // namespace tbd
