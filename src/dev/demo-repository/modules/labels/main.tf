# Names and tags, the same for everything that acme runs.

variable "stack" {
  type = string
}

variable "environment" {
  type    = string
  default = "production"
}

output "prefix" {
  value = "acme-${var.environment}-${var.stack}"
}

output "tags" {
  value = {
    environment = var.environment
    managed_by  = "terraform"
    owner       = "platform"
    stack       = var.stack
  }
}
